/** Rows without a test, and why: what it would take, or that it is open. */
export const UNPROVEN: Readonly<Record<string, string>> = {
  'MX-07': 'needs images of other servers',
  'LINK-09': 'needs mounts',
  'SPEC-05': 'open',
  'RULE-05': 'needs a file system that folds cases',
  'NAME-05': 'needs a file system that folds cases',
  'NAME-06': 'needs other file systems',
  'NAME-11': 'open: signs that turn names round are shown, look-alikes are not told apart',
  'DIR-02': 'needs more time than a test run has',
  'DIR-08': 'open',
  'IMG-10': 'raw formats are not decoded',
  'HTTP-15': 'needs a day',
  'DB-07': 'there is no released version',
  'DB-08': 'there is no released version',
  'OPS-04': 'needs a container',
  'OPS-08': 'needs a small machine',
  'SUP-03': 'needs the network: npm audit is run before a release',
}
