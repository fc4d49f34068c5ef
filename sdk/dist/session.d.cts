/** The tokens of a session. */
export interface SessionTokens {
	readonly accessToken: string;
	readonly refreshToken: string;
}
/** Sends `POST /auth/refresh`, with the given refresh token or with the cookie of the browser; the new tokens are saved. */
export type Refresh = (refreshToken?: string) => Promise<unknown>;
/**
 * A session whose tokens are kept outside the client, perhaps for several clients or pages. `@cspm/sdk/session` makes such
 * sessions.
 */
export interface SessionSource {
	/** An API key to send instead of tokens. */
	readonly apiKey?: string | undefined;
	/** The tokens to send; undefined: signed out, or not loaded yet. */
	readonly tokens: SessionTokens | undefined;
	/** Sent with the operations that open, renew or end a session. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Called before each request that takes a credential; resolves when `tokens` are the ones to use. */
	load(refresh: Refresh): Promise<void> | undefined;
	/** Called when an access token was refused: gets its successor. */
	renew(refused: string, refresh: Refresh): Promise<unknown>;
	/** Takes up the tokens of a sign-in, or of a session that was renewed or raised. */
	save(tokens: SessionTokens & {
		readonly expiresIn?: number;
	}, isRenewal: boolean): void | Promise<void>;
	/** Called when the session has ended. */
	clear(): void | Promise<void>;
}
/** What happened to a session: it was opened or raised, or it has ended. Renewals are not reported. */
export type SessionEvent = "signed-in" | "signed-out";
/** A session of a page, for the option `session` of `createClient`. */
export interface BrowserSession extends SessionSource {
	/** Whether somebody seems to be signed in: there is a token, or the browser remembers a session. Sends nothing. */
	readonly isSignedIn: boolean;
	/**
	 * Calls a listener when the session is opened or raised (`signed-in`) and when it has ended (`signed-out`), in this page or
	 * another one of the browser. Another page may have signed in somebody else: reload what belongs to the person.
	 * @returns a function that ends the subscription.
	 */
	subscribe(listener: (event: SessionEvent) => void): () => void;
}
/** Options of `cookieSession`. */
export interface CookieSessionOptions {
	/** Tells the sessions of several services on one origin apart; `cspm.session` by default. */
	readonly name?: string | undefined;
}
/**
 * The session of pages that the service itself serves. The refresh token is in an HttpOnly cookie, which no script can read;
 * the access token is in memory. All pages of the browser share the access token, renew it once, and sign out together.
 *
 * The `baseUrl` of the client must have the origin of the page.
 */
export declare function cookieSession({ name, }?: CookieSessionOptions): BrowserSession;
/** A session as a store keeps it. */
export interface StoredSession {
	readonly accessToken: string;
	readonly refreshToken: string;
	/** When the access token ends, in milliseconds since the epoch. */
	readonly expiresAt: number;
}
/** Where `storedSession` keeps a session. */
export interface SessionStore {
	/** What is stored; nothing: there is no session. */
	load(): StoredSession | null | undefined | Promise<StoredSession | null | undefined>;
	save(session: StoredSession): void | Promise<void>;
	clear(): void | Promise<void>;
	/** The name under which the pages of a browser share the store; left out: this page has it to itself. */
	readonly name?: string | undefined;
	/** Runs work while nobody else who shares the store does; left out: pages use a Web Lock of the name. */
	readonly exclusive?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
}
/** Keeps a session in memory: it ends with the page or the program. Clients that get the same store share the session. */
export declare function memoryStore(): SessionStore;
/** Keeps a session in `localStorage`: all pages of the origin share it. */
export declare function localStorageStore(key?: string): SessionStore;
/** Keeps a session in `sessionStorage`: it ends with the tab. */
export declare function sessionStorageStore(key?: string): SessionStore;
/**
 * Keeps a session in a file that only its owner can read (mode 0600), for programs on Node 20.16 or later, Bun or Deno.
 * Programs that run at the same time share it: a lock file beside it lets one of them renew the tokens.
 * @throws {TypeError} where there are no files, as in browsers.
 */
export declare function fileStore(path: string): SessionStore;
/**
 * A session whose tokens a store keeps, over page loads or runs of a program. Whoever shares the store shares the session:
 * the tokens are renewed once, and all are signed out together.
 *
 * Scripts can read what a page stores. Pages that the service itself serves use `cookieSession` instead.
 */
export declare function storedSession(store: SessionStore): BrowserSession;

export {};
