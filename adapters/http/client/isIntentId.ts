const INTENT_ID = /^pi_[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Whether a text has the form of a payment's id. */
export const isIntentId = (text: string): boolean => INTENT_ID.test(text)
