import { defaultCatalog } from "../../core/channels/Catalog.ts"
import type { Installation } from "../../core/ports/Installation.ts"
import { currencies } from "./market.ts"

/** What the service of a world is set up as. */
export const installation: Installation["Service"] = {
  mode: "sandbox",
  base_url: "https://payport.example",
  catalog: defaultCatalog,
  currencies,
  local_receivers: false,
}
