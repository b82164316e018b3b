// A request's types from the contract: parameters, body and response, by method and path.
import type { paths } from './schema.gen';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The paths that have this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [name in Lowercase<M>]: object } ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends keyof paths> = paths[P] extends {
  [name in Lowercase<M>]: infer O;
}
  ? O
  : never;

type ParametersOf<O, In extends string> = O extends { parameters: { [place in In]: infer Given } }
  ? Given
  : undefined;

type JsonOf<Content> = Content extends { 'application/json': infer Json } ? Json : never;

/** The body of the first success response; undefined if it has none. */
type Done<Responses> = Responses extends { 200: { content: infer Content } }
  ? JsonOf<Content>
  : Responses extends { 201: { content: infer Content } }
    ? JsonOf<Content>
    : Responses extends { 202: { content: infer Content } }
      ? JsonOf<Content>
      : undefined;

type AnswerOfOperation<O> = O extends { responses: infer Responses } ? Done<Responses> : never;

export type Answer<M extends Method, P extends keyof paths> = AnswerOfOperation<Operation<M, P>>;

/** Lists are sent comma-separated, so the contract declares them as text. */
type Query<Given> = {
  [Name in keyof Given]:
    | Given[Name]
    | null
    | (string extends Given[Name] ? readonly string[] : never);
};

/** A request body: nullable fields may be left out. */
type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { [Name in keyof T as null extends T[Name] ? never : Name]: Sent<T[Name]> } & {
        [Name in keyof T as null extends T[Name] ? Name : never]?: Sent<T[Name]>;
      }
    : T;

type PathPart<O> =
  ParametersOf<O, 'path'> extends object ? { path: ParametersOf<O, 'path'> } : { path?: undefined };

type QueryPart<O> = O extends { parameters: { query: infer Given } }
  ? { query: Query<Given> }
  : O extends { parameters: { query?: infer Given } }
    ? { query?: Query<NonNullable<Given>> }
    : { query?: undefined };

type BodyPart<O> = O extends { requestBody: { content: infer Content } }
  ? Content extends { 'application/json': infer Json }
    ? { json: Sent<Json> }
    : { raw: Blob } | { form: FormData }
  : O extends { requestBody?: { content: { 'application/json': infer Json } } }
    ? { json?: Sent<Json> }
    : object;

export type Parts<M extends Method, P extends keyof paths> = PathPart<Operation<M, P>> &
  QueryPart<Operation<M, P>> &
  BodyPart<Operation<M, P>>;

/** The JSON body of a request. */
export type Body<M extends Method, P extends PathOf<M>> =
  Parts<M, P> extends { json?: infer Json } ? NonNullable<Json> : never;
