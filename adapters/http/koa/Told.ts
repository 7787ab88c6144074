/** An answer whose status and headers its handler has decided, for what the contract cannot say. */
export class Told {
  readonly view: object
  readonly status: number
  readonly headers: { readonly [name: string]: string }

  constructor(view: object, status: number, headers: { readonly [name: string]: string }) {
    this.view = view
    this.status = status
    this.headers = headers
  }
}
