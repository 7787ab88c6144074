// Written independently of core/shared on purpose: a calendar that counts day by day.

import type { Chance } from "../random/Chance.ts"

/** A day; months and days count from 1. */
export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** A day in milliseconds. */
export const DAY = 86_400_000

const isLeap = (year: number): boolean => year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)

/** Returns how many days a month has. */
export const monthLength = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

/** Counts the days from 1970 to a day. */
export const daysTo = ({ day, month, year }: Day): number => {
  let days = day - 1
  for (let y = 1970; y < year; y += 1) days += isLeap(y) ? 366 : 365
  for (let m = 1; m < month; m += 1) days += monthLength(year, m)
  return days
}

/** Writes two digits. */
export const two = (number: number): string => String(number).padStart(2, "0")

/** Draws a day, often the last of its month. */
export const drawDay = (chance: Chance): Day => {
  const year = chance.pick<() => number>([
    () => chance.int(1970, 2100),
    () => chance.int(2024, 2030),
    () => 2100,
    () => 2000,
  ])()
  const month = chance.hits(0.3) ? chance.pick([1, 2, 12]) : chance.int(1, 12)
  const most = monthLength(year, month)
  return { year, month, day: chance.hits(0.4) ? most : chance.int(1, most) }
}

/** Writes a day. */
export const written = ({ day, month, year }: Day): string => `${year}-${two(month)}-${two(day)}`
