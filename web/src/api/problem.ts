// The one error type for everything that can go wrong between the console and the server.

export interface FieldError {
  field: string;
  message: string;
}

/** RFC 9457 problem+json; `extras` holds the members that some codes add. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: readonly FieldError[] = [],
    readonly requestId: string | null = null,
    readonly extras: Readonly<Record<string, unknown>> = {},
    /** Whether the message is the server's; otherwise the response, if any, had none. */
    readonly worded = false,
  ) {
    super(message);
  }

  static async from(response: Response): Promise<Problem> {
    const text = await response.text().catch(() => '');
    let body: Record<string, unknown> = {};
    try {
      body = JSON.parse(text) as Record<string, unknown>;
    } catch {
      // Not JSON: from a proxy or a crash. Only the status is known.
    }
    const detail = typeof body.detail === 'string' && body.detail ? body.detail : body.title;
    const worded = typeof detail === 'string' && detail !== '';
    return new Problem(
      response.status,
      typeof body.code === 'string' ? body.code : codeOf(response.status),
      worded ? detail : fallback(response.status),
      Array.isArray(body.fields) ? (body.fields as FieldError[]) : [],
      typeof body.requestId === 'string' ? body.requestId : null,
      body,
      worded,
    );
  }

  /** The request never reached the server. */
  static offline(): Problem {
    return new Problem(0, 'offline', 'Network error. Check your connection and try again.');
  }

  /** The response is not the server's: something in between sent it. */
  static unreadable(status: number): Problem {
    return new Problem(status, 'internal', fallback(0));
  }

  static of(error: unknown): Problem {
    if (error instanceof Problem) return error;
    return new Problem(0, 'internal', error instanceof Error ? error.message : String(error));
  }
}

function codeOf(status: number): string {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'notFound';
  if (status === 409) return 'conflict';
  if (status === 503) return 'busy';
  return 'internal';
}

function fallback(status: number): string {
  if (status === 401) return 'Your session has ended. Sign in again.';
  if (status === 403) return "You don't have access to this.";
  if (status === 404) return 'Not found.';
  if (status === 413) return 'The file is too large.';
  if (status === 503) return 'The server is busy. Try again in a moment.';
  return 'Something went wrong. Please try again.';
}
