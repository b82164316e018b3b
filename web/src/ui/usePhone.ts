import { useMedia } from './useMedia';

/** Narrow screens get cards and a bottom bar. */
export const usePhone = (): boolean => useMedia('(max-width: 47.99em)');

/** Wide screens have room for a list and what is open beside each other. */
export const useWide = (): boolean => useMedia('(min-width: 75em)');
