// A chart as a picture: inlined styles, title and legend, light colours, double size.

const SCALE = 2;
const EDGE = 16;
const HEAD = 34;
const KEY = 22;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const SCHEME = 'data-mantine-color-scheme';

/** The style properties to inline. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linejoin',
  'opacity',
  'font-size',
  'font-weight',
  'text-anchor',
  'paint-order',
  'visibility',
  'display',
] as const;

interface Key {
  svg: SVGSVGElement;
  label: string;
  width: number;
  height: number;
}

/** The picture of a chart's frame; null if nothing is drawn. */
export async function chartPng(
  frame: HTMLElement,
  title: string,
  note: string,
): Promise<Blob | null> {
  const parts = inLight(() => partsOf(frame));
  if (!parts) return null;
  const { plot, width, height, keys, colours } = parts;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.font = `12px ${FONT}`;
  const placed = placeKeys(keys, width, (label) => context.measureText(label).width);
  const rows = placed.length ? (placed.at(-1)?.row ?? 0) + 1 : 0;
  const top = EDGE + HEAD + rows * KEY;
  canvas.width = (width + 2 * EDGE) * SCALE;
  canvas.height = (top + height + EDGE) * SCALE;
  context.scale(SCALE, SCALE);
  context.fillStyle = colours.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = colours.ink;
  context.font = `600 15px ${FONT}`;
  context.fillText(title, EDGE, EDGE + 13);
  context.font = `12px ${FONT}`;
  context.fillStyle = colours.muted;
  context.fillText(note, EDGE, EDGE + 30);
  for (const { key, x, row } of placed) {
    const y = EDGE + HEAD + row * KEY;
    context.drawImage(await drawn(key.svg), EDGE + x, y + 4, key.width, key.height);
    context.fillStyle = colours.ink;
    context.fillText(key.label, EDGE + x + key.width + 6, y + 15);
  }
  context.drawImage(await drawn(plot), EDGE, top, width, height);
  return await new Promise((done) => canvas.toBlob(done, 'image/png'));
}

interface Parts {
  plot: SVGSVGElement;
  width: number;
  height: number;
  keys: Key[];
  colours: { surface: string; ink: string; muted: string };
}

function partsOf(frame: HTMLElement): Parts | null {
  const area = frame.querySelector('[data-plot]');
  const plots = [...(area?.querySelectorAll('svg') ?? [])].map((svg) => ({
    svg,
    box: svg.getBoundingClientRect(),
  }));
  const largest = plots.sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height)[0];
  if (!largest || largest.box.width === 0) return null;
  const { svg, box } = largest;
  const legend = [...frame.querySelectorAll<HTMLElement>('figcaption li')];
  const keys = legend.flatMap((entry): Key[] => {
    const mark = entry.querySelector('svg');
    const label = entry.textContent?.trim() ?? '';
    if (!mark || !label) return [];
    const { width, height } = mark.getBoundingClientRect();
    return [{ svg: standing(mark), label, width, height }];
  });
  const style = getComputedStyle(frame);
  const muted = area?.querySelector('text');
  return {
    plot: standing(svg),
    width: box.width,
    height: box.height,
    keys,
    colours: {
      surface: style.backgroundColor,
      ink: style.color,
      muted: muted ? getComputedStyle(muted).fill : style.color,
    },
  };
}

/** A copy with inlined styles. */
function standing(svg: SVGSVGElement): SVGSVGElement {
  const { width, height } = svg.getBoundingClientRect();
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [from, to] = [svg.querySelectorAll('*'), copy.querySelectorAll('*')];
  [svg, ...from].forEach((element, at) => {
    const into = at === 0 ? copy : to[at - 1];
    const style = getComputedStyle(element);
    // As attributes: the content security policy forbids inline styles.
    for (const name of STYLES) into?.setAttribute(name, style.getPropertyValue(name));
    into?.setAttribute('font-family', FONT);
    into?.removeAttribute('style');
    into?.removeAttribute('class');
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width * SCALE));
  copy.setAttribute('height', String(height * SCALE));
  if (!copy.hasAttribute('viewBox')) copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
  return copy;
}

/** Reads in the light scheme, then restores it before the browser paints. */
function inLight<T>(read: () => T): T {
  const root = document.documentElement;
  const scheme = root.getAttribute(SCHEME);
  root.setAttribute(SCHEME, 'light');
  try {
    return read();
  } finally {
    if (scheme) root.setAttribute(SCHEME, scheme);
  }
}

async function drawn(svg: SVGSVGElement): Promise<HTMLImageElement> {
  const text = new XMLSerializer().serializeToString(svg);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  return image;
}

interface Placed {
  key: Key;
  x: number;
  row: number;
}

function placeKeys(
  keys: readonly Key[],
  room: number,
  measure: (label: string) => number,
): Placed[] {
  let [x, row] = [0, 0];
  return keys.map((key) => {
    const width = key.width + 6 + measure(key.label) + 18;
    if (x > 0 && x + width > room) [x, row] = [0, row + 1];
    const placed = { key, x, row };
    x += width;
    return placed;
  });
}

/** `sales-by-day.png` */
export function pngName(title: string): string {
  const words = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `${words.replace(/^-+|-+$/g, '') || 'chart'}.png`;
}
