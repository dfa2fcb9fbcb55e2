/** Makes untrusted text safe for a terminal by escaping control characters as JSON does. */
export const escapeControls = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
