import process from "node:process"
import type { PaymentTerms } from "../requirePayment.ts"

/**
 * Reports an error where nobody waits for it. If `report` fails itself, the process warns of the
 * error: it may name money, and must not end the process or keep an answer back.
 */
export const reportAlone = async (
  report: PaymentTerms["report"],
  error: unknown,
): Promise<void> => {
  try {
    await Promise.resolve(report?.(error) as unknown)
  } catch {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
