/** A response with its own status and headers, for what the contract cannot describe. */
export class HandlerResponse {
  readonly view: object
  readonly status: number
  readonly headers: { readonly [name: string]: string }

  constructor(view: object, status: number, headers: { readonly [name: string]: string }) {
    this.view = view
    this.status = status
    this.headers = headers
  }
}
