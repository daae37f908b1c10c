/** Answers of the server: kept, shared and asked for again. */
export { queryClient } from './query/client.ts'
export { keepPreviousData, queryOptions, useQueries, useQuery } from './query/use-query.ts'
