//! scratch
use crate::engine::*; use crate::picture::{decode::decode,page::{Page,Style}}; use crate::fields::{extract::extract,label::Labels,template::Template};
pub fn probe(bytes:&[u8], pitch:f64, blur:f32, flat:bool, mode:Mode, dump:Option<&str>, engine:&dyn Engine)->Vec<(crate::Field,crate::Value,bool)>{
    let page=Page::find(decode(bytes).expect("decode"),None);
    let p=page.prepare(Style{pitch,blur,flat});
    if let Some(d)=dump { p.picture.save(d).expect("save"); eprintln!("page {}x{} pitch {} rhythm {} q {:?}",page.width,page.height,page.pitch,page.rhythm,page.quality); }
    let w=engine.words(&p.picture,mode).expect("words");
    let l=crate::text::lines(w,&p.to_whole);
    if dump.is_some(){ for x in &l {println!("{}",x.text)} }
    let t=Template::default();
    let s=extract(&l,&Labels::of(&t),t.date_order);
    s.found.into_iter().map(|f|(f.field,f.parsed.value,f.parsed.weak)).collect()
}
