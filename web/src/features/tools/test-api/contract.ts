// The contract for the form: operations, parameters, examples from schemas.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  example?: unknown;
  default?: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: Schema;
}

interface Said {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  'x-permission'?: { page?: string; action?: string; signedIn?: string; anyRole?: string };
  'x-public'?: string;
}

export interface Contract {
  paths: Record<string, Record<string, Said>>;
  components?: { schemas?: Record<string, Schema> };
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  tag: string;
  asks: string;
  parameters: Parameter[];
  /** Its body's content type, if any. */
  bodyType: string | null;
  bodySchema: Schema | null;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation, by tag and path. */
export function operationsOf(contract: Contract): Operation[] {
  const all: Operation[] = [];
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const method of METHODS) {
      const said = item[method];
      if (!said) continue;
      const [bodyType, body] = Object.entries(said.requestBody?.content ?? {})[0] ?? [null, null];
      const permission = said['x-permission'];
      all.push({
        id: said.operationId ?? `${method} ${path}`,
        method: method.toUpperCase(),
        path,
        summary: said.summary ?? said.description ?? '',
        tag: said.tags?.[0] ?? 'other',
        asks: permission?.page
          ? `${permission.page}, ${permission.action}`
          : said['x-public']
            ? 'open to everyone'
            : 'signed in',
        parameters: said.parameters ?? [],
        bodyType,
        bodySchema: body?.schema ?? null,
      });
    }
  }
  return all.sort((a, b) => a.tag.localeCompare(b.tag) || a.path.localeCompare(b.path));
}

/** The operations that contain all words of a search. */
export function searched(operations: readonly Operation[], text: string): Operation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter(({ method, path, summary, tag }) => {
    const all = `${method} ${path} ${summary} ${tag}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** Operations by tag, in order. */
export function byTag(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const group = groups.get(operation.tag);
    if (group) group.push(operation);
    else groups.set(operation.tag, [operation]);
  }
  return groups;
}

/** An example body from its schema. */
export function exampleOf(schema: Schema | undefined, contract: Contract, depth = 0): unknown {
  if (!schema || depth > 6) return null;
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.$ref) {
    const name = schema.$ref.split('/').pop() ?? '';
    return exampleOf(contract.components?.schemas?.[name], contract, depth + 1);
  }
  if (schema.enum) return schema.enum[0];
  if (schema.allOf) {
    const parts = schema.allOf.map((part) => exampleOf(part, contract, depth + 1));
    return Object.assign({}, ...parts.filter((part) => part && typeof part === 'object'));
  }
  const one = (schema.oneOf ?? schema.anyOf)?.find(({ type }) => type !== 'null');
  if (one) return exampleOf(one, contract, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type.find((it) => it !== 'null') : schema.type;
  if (type === 'object' || schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([name]) => schema.required?.includes(name) ?? true)
        .map(([name, of]) => [name, exampleOf(of, contract, depth + 1)]),
    );
  }
  if (type === 'array') return schema.items ? [exampleOf(schema.items, contract, depth + 1)] : [];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return false;
  if (schema.format === 'date') return '2026-11-24';
  if (schema.format === 'date-time') return '2026-11-24T08:00:00Z';
  return 'text';
}

/** The address with its parameters; null while a path parameter is missing. */
export function addressOf(
  { path, parameters }: Operation,
  values: Readonly<Record<string, string>>,
): string | null {
  let filled = path;
  const query = new URLSearchParams();
  for (const { name, in: place } of parameters) {
    const value = values[`${place}.${name}`]?.trim() ?? '';
    if (place === 'path') {
      if (!value) return null;
      filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    } else if (place === 'query' && value) query.set(name, value);
  }
  const asked = query.toString();
  return asked ? `${filled}?${asked}` : filled;
}

/** The request as a shell command, to be completed with the user's own token. */
export function curlOf(method: string, url: string, type: string | null, body: string): string {
  const quoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`;
  const parts = ['curl'];
  if (method !== 'GET') parts.push('-X', method);
  parts.push(quoted(url), '-H', '"Authorization: Bearer $TOKEN"');
  if (type && body) parts.push('-H', quoted(`Content-Type: ${type}`), '--data', quoted(body));
  return parts.join(' ');
}
