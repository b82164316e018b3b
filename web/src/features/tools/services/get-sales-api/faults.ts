import type { ApiSettings } from '#/connectors/api';
import { againFault } from '#/connectors/DaysFields';
import type { Fault } from '#/connectors/faults';

/** What the address, the way of signing in and the pages of an API lack. */
export function apiFaults(settings: ApiSettings): Fault[] {
  const { url, body, auth, paging } = settings;
  const found: Fault[] = [];
  const at = (field: string, label: string, message: string) =>
    found.push({ field: `settings.${field}`, label, message });
  const says = (place: string) => `${url}${body ?? ''}`.includes(place);
  if (!/^https?:\/\/[^/]/.test(url.trim()) || url.length > 2_000)
    at('url', 'Address', 'Enter the address, such as https://pos.example.com/sales?date={date}.');
  else if (paging.kind === 'page' && !says('{page}'))
    at('url', 'Address', "Write {page} into the address where the page's number goes.");
  else if (paging.kind === 'cursor' && !says('{cursor}'))
    at('url', 'Address', 'Write {cursor} into the address where the cursor goes.');
  if (body && body.length > 20_000)
    at('body', 'Body', 'The body is longer than 20,000 characters. Shorten it.');
  if (auth.kind === 'header' && !auth.name.trim())
    at('auth.name', 'Header', "Enter the header's name, such as X-Api-Key.");
  if (auth.kind === 'basic' && !auth.userName)
    at('auth.userName', 'User name', 'Enter the user name.');
  if (auth.kind === 'oAuth') {
    if (!auth.tokenUrl.trim())
      at('auth.tokenUrl', 'Address for tokens', 'Enter the address that gives tokens.');
    if (!auth.clientId) at('auth.clientId', 'Client id', 'Enter the client id.');
  }
  if (paging.kind === 'cursor' && !paging.path.trim())
    at(
      'paging.path',
      'Next cursor',
      'Say where the answer has the next cursor: click it in the answer.',
    );
  if (paging.kind === 'next' && !paging.path.trim())
    at(
      'paging.path',
      "Next page's address",
      "Say where the answer has the next page's address: click it in the answer.",
    );
  found.push(...againFault(settings.againDays));
  return found;
}
