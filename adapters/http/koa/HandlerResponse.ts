/** A response with its own status and headers, for what the contract cannot describe. */
export class HandlerResponse {
  readonly view: object
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** The media type of the body; that of plain JSON without it. */
  readonly type: string | undefined

  constructor(
    view: object,
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
