// Browser APIs that components need and jsdom lacks.
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';
import { shiftDate, shiftTo } from './testClock';

shiftDate(shiftTo(process.env.TEST_CLOCK));

class NoObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

if (typeof window !== 'undefined') {
  window.matchMedia ??= (query) =>
    ({
      matches: false,
      media: query,
      onchange: null,
      addEventListener() {},
      removeEventListener() {},
      addListener() {},
      removeListener() {},
      dispatchEvent: () => false,
    }) as MediaQueryList;
  window.ResizeObserver ??= NoObserver as unknown as typeof ResizeObserver;
  Element.prototype.scrollIntoView ??= () => {};
  document.elementsFromPoint ??= () => [];
  // A text area that grows measures itself again once its font is there.
  if (!document.fonts) {
    Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  }
  afterEach(cleanup);
}
