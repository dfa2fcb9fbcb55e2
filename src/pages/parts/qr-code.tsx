import { encodeQR } from "qr";

/** A QR code, black on white in every color scheme. */
export const QrCode = ({ text }: { text: string }) => {
  const rows = encodeQR(text, "raw");
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      role="img"
      aria-label={`QR code of ${text}`}
    >
      <path d={path.join("")} />
    </svg>
  );
};
