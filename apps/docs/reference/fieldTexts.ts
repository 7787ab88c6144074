export const FIELDS: { readonly [name: string]: string } = {}
