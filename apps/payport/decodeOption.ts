import { Result } from "effect"
import { decode, type InputSchema, unknownFieldsOf } from "../../core/shared/Decode.ts"
import { PayportOptionsError } from "./PayportOptions.ts"

/** A value read from an option, or the error of the option. */
export type Read<A> = Result.Result<A, PayportOptionsError>

/** Makes the error of an option. `message` continues after its name, without a full stop. */
export const wrong = (option: string, message: string) =>
  Result.fail(new PayportOptionsError({ option, message: `The option ${option} ${message}.` }))

/**
 * Makes the decoder of an option that is data. It fails with the dotted name of the first wrong or
 * unknown field.
 */
export const decodeOption = <S extends InputSchema>(schema: S) => {
  const read = decode(schema)
  const findUnknown = unknownFieldsOf(schema)
  const known = Object.keys(schema.fields).join(", ")
  return (option: string, given: unknown): Read<S["Type"]> => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      return wrong(option, `has to be an object with ${known}`)
    }
    const [unknown] = findUnknown(given)
    if (unknown !== undefined) {
      return wrong(`${option}.${unknown.field}`, `is not known. ${option} has ${known}`)
    }
    return Result.mapError(
      read(given),
      ({ field = "", message }) =>
        new PayportOptionsError({
          option: `${option}.${field}`,
          message: `The option ${option} is not valid. ${message}`,
        }),
    )
  }
}
