import { expect, it } from 'vitest';
import { webLink } from './webLink';

it('links web pages only', () => {
  expect(webLink(' https://larder.example/a?b=1 ')).toBe('https://larder.example/a?b=1');
  expect(webLink('larder.example/about')).toBe('https://larder.example/about');
  expect(webLink('/api/products/1/picture?v=2')).toBe('/api/products/1/picture?v=2');
  for (const bad of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'https://',
    'https:///x',
    '//evil.example',
    'localhost',
    'a b.c',
    'https://a.example/"onclick=',
    '',
    null,
  ])
    expect(webLink(bad), String(bad)).toBeNull();
});
