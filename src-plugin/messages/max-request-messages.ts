/** The protocol's limit of messages in one request. */
export const maxRequestMessages = 20_000;
