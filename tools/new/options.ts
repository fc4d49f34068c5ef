/** The options of `npm run new`. */
export interface Options {
  readonly type?: string | undefined;
  readonly member?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly audit?: string | undefined;
  readonly module?: string | undefined;
}
