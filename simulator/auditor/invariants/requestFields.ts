/** What a value of a request may be. */
export type Form =
  | {
      readonly type: "text"
      readonly most: number
      readonly isBlock?: boolean
      readonly mayHaveCards?: boolean
    }
  | { readonly type: "string"; readonly orNull: boolean }
  | { readonly type: "money" }
  | { readonly type: "key" | "rate" | "currency" | "boolean" }
  /** An address or a block of addresses: of these texts, only some are any. */
  | { readonly type: "block"; readonly right: ReadonlySet<string> }
  | { readonly type: "whole"; readonly least: number; readonly most: number }
  | { readonly type: "one of"; readonly values: ReadonlyArray<string> }
  | { readonly type: "list"; readonly of: Form }
  | { readonly type: "time"; readonly orNull: boolean }
  | {
      readonly type: "object"
      readonly fields: ReadonlyArray<Field>
      /** What else is said than that it must be an object. */
      readonly words?: string
    }

/** A field of a request; a mistake in it may have a code of its own. */
export interface Field {
  readonly name: string
  readonly form: Form
  readonly isRequired: boolean
  readonly code?: "INVALID_AMOUNT" | "INVALID_PRICING" | "INVALID_URL"
}
