import { Context } from "effect"
import type { ContactFormats } from "../kyc/verifications/ContactFormats.ts"

/** What contact data looks like; the core holds no such lists. */
export class ContactRules extends Context.Service<ContactRules, ContactFormats>()(
  "payport/core/ports/ContactRules",
) {}
