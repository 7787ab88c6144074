/** Returns the signed text of a request. `path` is the path and the query as sent. */
export const requestText = (
  request: { readonly method: string; readonly path: string; readonly body: string },
  timestamp: string,
): string => `${timestamp}\n${request.method}\n${request.path}\n${request.body}`

/** Returns the signed text of an answer, which binds the answer to its request. */
export const answerText = (
  answer: { readonly status: number; readonly body: string },
  timestamp: string,
  requestSignature: string,
): string => `${timestamp}\n${answer.status}\n${requestSignature}\n${answer.body}`
