import { encode } from 'uqr';

interface QrCodeProps {
  readonly text: string;
  /** What screen readers say. */
  readonly label: string;
}

const SIZE = 200;
/** ISO/IEC 18004 requires a quiet zone of 4 modules. */
const QUIET = 4;

/** A QR code, dark on white in both themes because many readers do not read inverted codes. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      width={SIZE}
      height={SIZE}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
