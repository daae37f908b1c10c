/** What a removed link waits for (`shares.suspended`). No id of a kept thing begins so. @param id opens nothing */
export const removedMark = (id: string): string => `removed:${id}`
