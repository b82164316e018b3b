import { useMemo } from 'react';
import { qrOf } from './qr';

/** The quiet zone that readers need around a code. */
const QUIET = 4;

/**
 * A QR code of an address. Made here, not by the server, which only makes one for a new second factor: the address is
 * the one this console was opened at, and a delivery note prints at once, without a request per code.
 */
export function QrCode({
  text,
  label,
  size = 112,
}: {
  text: string;
  label: string;
  size?: number;
}) {
  const code = useMemo(() => qrOf(text), [text]);
  if (!code) return null;
  const side = code.length + 2 * QUIET;
  const path = code
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET},${y + QUIET}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <path d={`M0,0h${side}v${side}h-${side}z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
