import { useEffect } from 'react';

/** Writes a title at the foot of every printed sheet, beside the page number. */
export function usePaperTitle(title: string): void {
  useEffect(() => {
    // A style element would need the nonce of the page.
    if (!('adoptedStyleSheets' in document)) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(paperRule(title));
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [title]);
}

/** The rule for the foot; the title may contain any character. */
export function paperRule(title: string): string {
  const escaped = title.replace(
    /["\\\p{Cc}]/gu,
    (letter) => `\\${letter.codePointAt(0)?.toString(16)} `,
  );
  return `@page { @bottom-left { color: #56534c; font: 9px system-ui, sans-serif; content: "${escaped}"; } }`;
}
