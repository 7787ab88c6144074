import { ACCESS } from "./access.ts"
import { DELIVERIES } from "./deliveries.ts"
import { ENDS } from "./ends.ts"
import { EXPIRIES } from "./expiry.ts"
import { FAULTS } from "./faults.ts"
import { IDEMPOTENCY } from "./idempotency.ts"
import { IDENTITY } from "./identity.ts"
import { MALFORMED } from "./malformed.ts"
import { MANIFESTS } from "./manifests.ts"
import { MONEY } from "./money.ts"
import { ONE_TIME } from "./oneTime.ts"
import { REFUNDS } from "./refunds.ts"
import { SHAPES } from "./refusals.ts"
import { RETRIES } from "./retries.ts"
import { SCOPED } from "./scopes.ts"
import { SEARCHES } from "./search.ts"
import { SIGNED } from "./signed.ts"
import { STATES } from "./states.ts"
import { ofLevel } from "./verdicts.ts"
import { WORLD } from "./world.ts"

/** All checks of a service, in order. */
export const SERVICE_CHECKS = [
  ...ofLevel("core", [
    ...MANIFESTS,
    ...SEARCHES,
    ...EXPIRIES,
    ...ACCESS,
    ...MALFORMED,
    ...STATES,
    ...ENDS,
    ...ONE_TIME,
    ...IDEMPOTENCY,
    ...IDENTITY,
  ]),
  ...ofLevel("money", [...MONEY, ...FAULTS, ...REFUNDS, ...SCOPED]),
  ...ofLevel("webhooks", [...DELIVERIES, ...SIGNED, ...RETRIES]),
  ...ofLevel("core", SHAPES),
  ...WORLD,
]
