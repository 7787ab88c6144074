import { Context } from "effect"
import type { ContactFormats } from "../kyc/verifications/ContactFormats.ts"

/** The formats of contact data. The core itself holds no such lists. */
export class ContactRules extends Context.Service<ContactRules, ContactFormats>()(
  "payport/core/ports/ContactRules",
) {}
