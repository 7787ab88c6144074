import { Schema } from "effect"
import type { FieldRules } from "../shared/Decode.ts"
import { PayableAmount } from "../shared/Money.ts"
import { PageQuery } from "../shared/Page.ts"
import * as Text from "../shared/Text.ts"
import { LONGEST_ADDRESS } from "./Address.ts"
import { METHODS } from "./Listing.ts"

const service_id = Text.line(64)

/** The body of `POST /v1/x402/listings`. */
export const ListResourceInput = Schema.Struct({
  service_id: service_id.annotateKey({
    description: "The id of your active service that is paid.",
  }),
  resource: Text.line(LONGEST_ADDRESS).annotateKey({
    description: "The resource's URL. Its query is ignored.",
  }),
  method: Schema.optionalKey(Schema.Literals(METHODS)).annotateKey({
    description:
      "The HTTP method of the resource. Default: `GET`. Resources of other methods can be sold " +
      "and are not listed, because a probe would send the method to a URL that anybody can name. " +
      "To be found, offer the resource by POST.",
  }),
  amount: PayableAmount.annotateKey({
    description: "The price that the resource asks for. It becomes the listed price.",
  }),
})
export type ListResourceInput = typeof ListResourceInput.Type

/** Invalid amounts and URLs have error codes of their own (Errors). */
export const listingRules = {
  codes: { amount: "INVALID_AMOUNT" },
  invalid: { resource: "INVALID_URL" },
} satisfies FieldRules

/** The query of `GET /v1/x402/listings`. */
export const ListListingsQuery = Schema.Struct({
  ...PageQuery.fields,
  service_id: Schema.optionalKey(service_id).annotateKey({
    description: "Only items of this service.",
  }),
})
export type ListListingsQuery = typeof ListListingsQuery.Type
