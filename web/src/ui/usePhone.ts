import { useMedia } from './useMedia';

/** Narrow screens get cards and a bottom bar. */
export const usePhone = (): boolean => useMedia('(max-width: 47.99em)');

/** Wide screens fit a list and an open record side by side. */
export const useWide = (): boolean => useMedia('(min-width: 75em)');
