/** Whether a served root is a part of a bucket; anything else is a folder. */
export const isBucket = (root: string): boolean => /^s3:\/\//i.test(root)
