use larder_tillread::*;
fn cpu()->f64{let s=std::fs::read_to_string("/proc/self/stat").unwrap_or_default();let r=s.rsplit(") ").next().unwrap_or_default().to_owned();r.split(' ').skip(11).take(4).filter_map(|i|i.parse::<f64>().ok()).sum::<f64>()/100.0}
fn main(){
  let a:Vec<String>=std::env::args().skip(1).collect();
  let dir=std::path::Path::new(&a[0]);
  let pat=&a[1]; let pitch:f64=a[2].parse().unwrap(); let blur:f32=a[3].parse().unwrap(); let flat=a[4]=="1"; let mode=match a[5].as_str(){"4"=>Mode::Column,"6"=>Mode::Block,_=>Mode::Line};
  let dump=a.get(6).map(|s|s.as_str());
  let t:serde_json::Map<String,serde_json::Value>=serde_json::from_str(&std::fs::read_to_string(dir.join("truth.json")).unwrap()).unwrap();
  let mut by:std::collections::BTreeMap<String,(usize,usize,f64,usize)>=Default::default();
  for (n,it) in &t { if pat!="-" && !pat.split(',').any(|p|n.contains(p)) {continue}
    let b=std::fs::read(dir.join(n)).unwrap(); let c=cpu();
    let got=probe::probe(&b,pitch,blur,flat,mode,dump,&Tesseract::default());
    let e=by.entry(it["kind"].as_str().unwrap().to_owned()).or_default(); e.2+=cpu()-c; e.3+=1;
    let mut bad=vec![];
    for f in Field::ALL { if let Some(w)=it["fields"][f.as_str()].as_str().and_then(|w|Value::plain(f,w)) { e.1+=1; let g=got.iter().find(|g|g.0==f); if g.map(|g|&g.1)==Some(&w){e.0+=1}else{bad.push(format!("{}:{}!{}",f.as_str(),w,g.map(|g|g.1.to_string()).unwrap_or_default()))} } }
    if a.get(7).is_some(){println!("{n} {}",bad.join("  "))}
  }
  let all:(usize,usize,f64,usize)=by.values().fold((0,0,0.0,0),|x,y|(x.0+y.0,x.1+y.1,x.2+y.2,x.3+y.3));
  print!("{pitch} {blur} {flat} {}: ",a[5]);
  for (k,e) in &by {print!("{k} {:.3} {:.2}s | ",e.0 as f64/e.1 as f64,e.2/e.3 as f64)}
  println!("all {:.4}",all.0 as f64/all.1 as f64);
}
