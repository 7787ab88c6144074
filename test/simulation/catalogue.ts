import { accessFlaws } from "./accessFlaws.ts"
import { answerFlaws } from "./answerFlaws.ts"
import { agreedPriceFlaws } from "./agreedPriceFlaws.ts"
import { billingFlaws } from "./billingFlaws.ts"
import { captureFlaws } from "./captureFlaws.ts"
import { challengeFlaws } from "./challengeFlaws.ts"
import { channelFlaws } from "./channelFlaws.ts"
import { clockFlaws } from "./clockFlaws.ts"
import { consentFlaws } from "./consentFlaws.ts"
import { deliveryFlaws } from "./deliveryFlaws.ts"
import { dueFlaws } from "./dueFlaws.ts"
import { factFlaws } from "./factFlaws.ts"
import type { Flaw } from "./flaw.ts"
import { identityFlaws } from "./identityFlaws.ts"
import { keyRingFlaws } from "./keyRingFlaws.ts"
import { keyFlaws } from "./keyFlaws.ts"
import { installFlaws } from "./installFlaws.ts"
import { listingFlaws } from "./listingFlaws.ts"
import { listeningFlaws } from "./listeningFlaws.ts"
import { lookupFlaws } from "./lookupFlaws.ts"
import { marketFlaws } from "./marketFlaws.ts"
import { ownershipFlaws } from "./ownershipFlaws.ts"
import { printedCodeFlaws } from "./printedCodeFlaws.ts"
import { priceFlaws } from "./priceFlaws.ts"
import { programFlaws } from "./programFlaws.ts"
import { rateFlaws } from "./rateFlaws.ts"
import { readingFlaws } from "./readingFlaws.ts"
import { refundFlaws } from "./refundFlaws.ts"
import { registryFlaws } from "./registryFlaws.ts"
import { scannedCodeFlaws } from "./scannedCodeFlaws.ts"
import { shownFlaws } from "./shownFlaws.ts"
import { statementFlaws } from "./statementFlaws.ts"
import { spokenFlaws } from "./spokenFlaws.ts"
import { storeFlaws } from "./storeFlaws.ts"

/** Every flaw, each of which breaks one rule. */
export const FLAWS: ReadonlyArray<Flaw> = [
  ...storeFlaws,
  ...channelFlaws,
  ...refundFlaws,
  ...accessFlaws,
  ...deliveryFlaws,
  ...statementFlaws,
  ...identityFlaws,
  ...keyFlaws,
  ...installFlaws,
  ...consentFlaws,
  ...marketFlaws,
  ...billingFlaws,
  ...clockFlaws,
  ...dueFlaws,
  ...registryFlaws,
  ...challengeFlaws,
  ...rateFlaws,
  ...ownershipFlaws,
  ...listeningFlaws,
  ...spokenFlaws,
  ...captureFlaws,
  ...priceFlaws,
  ...listingFlaws,
  ...agreedPriceFlaws,
  ...printedCodeFlaws,
  ...scannedCodeFlaws,
  ...programFlaws,
  ...keyRingFlaws,
  ...factFlaws,
  ...readingFlaws,
  ...lookupFlaws,
  ...answerFlaws,
  ...shownFlaws,
]
