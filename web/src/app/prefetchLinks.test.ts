import { afterEach, expect, it, vi } from 'vitest';
import { prefetchLinks } from './prefetchLinks';

let end = () => {};
afterEach(() => {
  end();
  document.body.replaceChildren();
});

it('loads the page of a link that the pointer or the focus comes to, once', () => {
  const load = vi.fn();
  end = prefetchLinks(document, load);
  document.body.innerHTML =
    '<a href="/stores/orders?page=2"><span>Orders</span></a><a href="/lists">Lists</a>';
  const [orders, lists] = document.querySelectorAll('a');
  const over = () => new MouseEvent('pointerover', { bubbles: true });
  orders?.firstElementChild?.dispatchEvent(over());
  orders?.dispatchEvent(over());
  lists?.focus();
  expect(load.mock.calls).toEqual([['/stores/orders'], ['/lists']]);
});

it('leaves other sites and other elements alone', () => {
  const load = vi.fn();
  end = prefetchLinks(document, load);
  document.body.innerHTML = '<a href="https://elsewhere.example/stores">Out</a><button>In</button>';
  for (const one of document.querySelectorAll('a, button'))
    one.dispatchEvent(new MouseEvent('pointerover', { bubbles: true }));
  expect(load).not.toHaveBeenCalled();
});
