/** Cache of server responses: shared, stored and refetched. */
export { queryClient } from './query/client.ts'
export { keepPreviousData, queryOptions, useQueries, useQuery } from './query/use-query.ts'
