/**
 * What our signature covers: when, what, where and the body as sent. `path` is path and query of
 * the request line.
 */
export const requestText = (
  request: { readonly method: string; readonly path: string; readonly body: string },
  timestamp: string,
): string => `${timestamp}\n${request.method}\n${request.path}\n${request.body}`

/** What an answer's signature covers: it answers this request, and no other. */
export const answerText = (
  answer: { readonly status: number; readonly body: string },
  timestamp: string,
  requestSignature: string,
): string => `${timestamp}\n${answer.status}\n${requestSignature}\n${answer.body}`
