import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  ListListingsQuery,
  listingRules,
  ListResourceInput,
} from "../../../core/listings/ListingInput.ts"
import { ListingView } from "../../../core/listings/ListingView.ts"
import { Deleted } from "../../../core/shared/Wire.ts"
import { AccountKey } from "./Access.ts"
import { account } from "./Endpoint.ts"
import { ofFields } from "./Errors.ts"
import { Audiences } from "./Route.ts"
import { page } from "./Wire.ts"

/** Sellers' listings for buyers who discover resources by x402. */
export const listings = HttpApiGroup.make("listings")
  .add(
    account.post("create", "/v1/x402/listings", {
      summary: "List a resource that is sold by x402 (seller)",
      description:
        "Use it for a paywall of `requirePayment`. A resource that is settled at this " +
        "facilitator and declares the extension `bazaar` is listed automatically. Buyers " +
        "find it after a probe without a payment was answered with 402 and exactly this " +
        "price, payable to you.",
      payload: ListResourceInput.annotate({
        identifier: "ListResourceInput",
        description: "The resource and its price. Listing it again updates the price.",
        examples: [
          {
            service_id: "01997d3e-8a00-7000-8000-000000000010",
            resource: "https://weather.example/reports/7",
            amount: { currency: "USD", value: 25 },
          },
        ],
      }),
      rules: listingRules,
      success: ListingView.pipe(HttpApiSchema.status(201)),
      refusals: [...ofFields(listingRules), "NOT_FOUND", "PLAN_LIMIT_EXCEEDED"],
    }),
    account.get("list", "/v1/x402/listings", {
      mayBeStale: true,
      summary: "List your listed resources, newest first",
      description: "Use it to see which resources match their listing, and why the others do not.",
      query: ListListingsQuery.fields,
      success: page(ListingView),
    }),
    account.get("get", "/v1/x402/listings/:id", {
      summary: "Get a listed resource",
      description: "Use it to see the result of the last probe of the resource.",
      success: ListingView,
      refusals: ["NOT_FOUND"],
    }),
    account.delete("delete", "/v1/x402/listings/:id", {
      summary: "Remove a listed resource",
      description:
        "Also remove the extension `bazaar` from the resource. Otherwise the next payment " +
        "lists it again.",
      success: Deleted,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "Listed resources")
  .annotate(
    OpenApi.Description,
    "The resources that buyers find by x402 discovery, and whether they match their listing.",
  )
