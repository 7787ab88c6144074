/** The text that a request's signature covers. `path` is the path and the query as sent. */
export const requestText = (
  request: { readonly method: string; readonly path: string; readonly body: string },
  timestamp: string,
): string => `${timestamp}\n${request.method}\n${request.path}\n${request.body}`

/** The text that an answer's signature covers: it binds the answer to its request. */
export const answerText = (
  answer: { readonly status: number; readonly body: string },
  timestamp: string,
  requestSignature: string,
): string => `${timestamp}\n${answer.status}\n${requestSignature}\n${answer.body}`
