/** The client as which a server is known to the providers of tests. */
export const CLIENT = { clientId: 'filigree', clientSecret: 'a-secret-of-the-client' }
