/**
 * A response with its own status and headers, for what the contract cannot describe. A view that is
 * text is sent as it is.
 */
export class HandlerResponse {
  readonly view: object | string
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** The media type of the body; that of plain JSON without it. */
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
