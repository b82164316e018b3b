import { expect, test } from 'vitest';
import { addressOf, type Contract, curlOf, exampleOf, operationsOf, searched } from './contract';

const contract: Contract = {
  paths: {
    '/api/uoms/{id}': {
      get: {
        operationId: 'get_uom',
        summary: 'A unit.',
        tags: ['lists'],
        parameters: [
          { name: 'id', in: 'path', required: true },
          { name: 'q', in: 'query' },
        ],
      },
      patch: {
        operationId: 'update_uom',
        summary: 'Change a unit.',
        tags: ['lists'],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Uom' } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Uom: {
        type: 'object',
        required: ['name', 'kind'],
        properties: {
          name: { type: 'string' },
          kind: { type: 'string', enum: ['mass', 'piece'] },
          note: { type: ['string', 'null'] },
        },
      },
    },
  },
};

test('finds operations by all words of a search', () => {
  const all = operationsOf(contract);
  expect(all.map(({ id }) => id)).toEqual(['get_uom', 'update_uom']);
  expect(searched(all, 'change UNIT').map(({ id }) => id)).toEqual(['update_uom']);
  expect(searched(all, 'nothing')).toEqual([]);
});

test('puts required fields into an example', () => {
  const [, update] = operationsOf(contract);
  expect(exampleOf(update?.bodySchema ?? undefined, contract)).toEqual({
    name: 'text',
    kind: 'mass',
  });
});

test('has no address while path parameters are missing', () => {
  const [get] = operationsOf(contract);
  if (!get) throw new Error('no operation');
  expect(addressOf(get, {})).toBeNull();
  expect(addressOf(get, { 'path.id': 'a/b', 'query.q': 'x y' })).toBe('/api/uoms/a%2Fb?q=x+y');
});

test('quotes values in a curl line and omits secrets', () => {
  expect(curlOf('PATCH', 'https://x/y', 'application/json', `{"a":"it's"}`)).toBe(
    `curl -X PATCH 'https://x/y' -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' --data '{"a":"it'\\''s"}'`,
  );
});
