/**
 * A response with its own status and headers, for answers that the contract cannot describe. A text
 * is sent unchanged.
 */
export class HandlerResponse {
  readonly view: object | string
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** The media type of the body, by default that of JSON. */
  readonly type: string | undefined

  constructor(
    view: object | string,
    status: number,
    headers: { readonly [name: string]: string },
    type?: string,
  ) {
    this.view = view
    this.status = status
    this.headers = headers
    this.type = type
  }
}
