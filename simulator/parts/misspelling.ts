import type { Chance } from "../random/Chance.ts"

/** Misspells a name, as hands and memories do. */
export const misspelt = (name: string, chance: Chance): string => {
  const at = chance.int(0, name.length - 2)
  const [before, letter, next, after] = [
    name.slice(0, at),
    name.charAt(at),
    name.charAt(at + 1),
    name.slice(at + 2),
  ]
  return chance.pick([
    `${before}${next}${after}`,
    `${before}${letter}${letter}${next}${after}`,
    `${before}${next}${letter}${after}`,
    `${before}z${next}${after}`,
    `${before}zz${after}`,
    `${name}s`,
    name.toUpperCase(),
    name.replaceAll("_", "-"),
    name.replaceAll("_", ""),
    name.split("_").at(-1) ?? name,
    `q${name.slice(0, 2)}`,
  ])
}

/** Strange fields: one, one with a name that is too long to be shown, and too many to be named. */
export const strange = (chance: Chance): { readonly [name: string]: unknown } => {
  const many = Array.from({ length: 24 }, (_, n) => [`zz${n}`, n] as const)
  return chance.pick<{ readonly [name: string]: unknown }>([
    { colour: "red" },
    { id: 7, Amount: 7 },
    { [`q${"📚".repeat(130)}`]: 1 },
    Object.fromEntries(many),
  ])
}
