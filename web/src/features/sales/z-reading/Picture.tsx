import { ActionIcon } from '@mantine/core';
import { IconArrowsMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { type Place, pictureHref } from './api';
import classes from './Picture.module.css';

interface Line {
  text: string;
  box: Place;
}

interface Props {
  id: string;
  /** The place to zoom in on; null for the whole picture. */
  focus: Place | null;
  /** Selectable lines, while teaching a till. */
  lines?: readonly Line[];
  onLine?(line: Line): void;
}

interface View {
  scale: number;
  x: number;
  y: number;
}

const MOST_SCALE = 8;

/** The picture of a reading, zoomed to the marked focus. */
export function Picture({ id, focus, lines, onLine }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; y: number } | null>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [ratio, setRatio] = useState(0);
  const [own, setOwn] = useState<View | null>(null);
  const [failed, setFailed] = useState(false);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // A new focus resets manual panning.
  const at = focus && `${focus.x},${focus.y},${focus.w},${focus.h}`;
  const [seen, setSeen] = useState(at);
  if (seen !== at) {
    setSeen(at);
    setOwn(null);
  }

  const view = own ?? viewOf(focus, size, ratio);
  const zoom = (by: number) => {
    const scale = Math.min(MOST_SCALE, Math.max(0.2, view.scale * by));
    const grow = scale / view.scale;
    const [cx, cy] = [size.width / 2, size.height / 2];
    setOwn({ scale, x: cx - (cx - view.x) * grow, y: cy - (cy - view.y) * grow });
  };
  const move = (event: PointerEvent) => {
    if (!drag.current) return;
    const { x, y } = drag.current;
    setOwn({ ...view, x: view.x + event.clientX - x, y: view.y + event.clientY - y });
    drag.current = { x: event.clientX, y: event.clientY };
  };

  return (
    <div className={classes.picture}>
      <div
        ref={box}
        className={classes.window}
        onPointerDown={(event) => {
          if (event.target instanceof HTMLButtonElement) return;
          drag.current = { x: event.clientX, y: event.clientY };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={move}
        onPointerUp={() => {
          drag.current = null;
        }}
      >
        {failed ? (
          <p className={classes.noPicture}>The picture could not be loaded.</p>
        ) : (
          <div
            className={classes.sheet}
            style={{
              width: size.width,
              transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
            }}
          >
            <img
              src={pictureHref(id)}
              alt="The till’s Z-reading"
              draggable={false}
              onLoad={({ currentTarget: img }) => setRatio(img.naturalHeight / img.naturalWidth)}
              onError={() => setFailed(true)}
            />
            {focus && <span className={classes.mark} style={placed(focus, 0.006)} />}
            {lines?.map((line) => (
              <button
                key={`${line.box.x},${line.box.y},${line.text}`}
                type="button"
                className={classes.line}
                style={placed(line.box, 0.002)}
                aria-label={`Line: ${line.text}`}
                title={line.text}
                onClick={() => onLine?.(line)}
              />
            ))}
          </div>
        )}
      </div>
      <div className={classes.zoom}>
        <ActionIcon variant="default" size={34} aria-label="Closer" onClick={() => zoom(1.4)}>
          <IconPlus size={17} />
        </ActionIcon>
        <ActionIcon variant="default" size={34} aria-label="Further" onClick={() => zoom(1 / 1.4)}>
          <IconMinus size={17} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={34}
          aria-label="Whole picture"
          onClick={() => setOwn(viewOf(null, size, ratio))}
        >
          <IconArrowsMaximize size={17} />
        </ActionIcon>
      </div>
    </div>
  );
}

const percent = (share: number) => `${share * 100}%`;

/** A place in fractions of the picture, with some margin. */
function placed({ x, y, w, h }: Place, air: number) {
  return {
    left: percent(x - air),
    top: percent(y - air),
    width: percent(w + 2 * air),
    height: percent(h + 2 * air),
  };
}

/** The picture's position and scale that centre a place at a readable size. */
export function viewOf(
  focus: Place | null,
  { width, height }: { width: number; height: number },
  ratio: number,
): View {
  if (!width || !ratio) return { scale: 1, x: 0, y: 0 };
  const whole = width * ratio;
  const fit = Math.min(1, height / whole);
  if (!focus) return { scale: fit, x: (width - width * fit) / 2, y: 0 };
  // Lines of 26 pixels are easy to read; the figure's label at the left stays visible.
  const scale = Math.min(MOST_SCALE, Math.max(fit, 26 / Math.max(1, focus.h * whole)));
  const near = Math.min(scale, Math.max(fit, (0.6 * width) / Math.max(1, focus.w * width)));
  const middle = (share: number, extent: number, room: number) => {
    const at = room / 2 - share * extent * near;
    return extent * near <= room
      ? (room - extent * near) / 2
      : Math.min(0, Math.max(room - extent * near, at));
  };
  return {
    scale: near,
    x: middle(focus.x + focus.w / 2 - 0.12 / near, width, width),
    y: middle(focus.y + focus.h / 2, whole, height),
  };
}
