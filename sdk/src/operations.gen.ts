// Generated from the contract by `npm run generate`. Do not edit.
/** What the client knows of each operation at run time, as `readOperations` reads it. */
export const OPERATIONS = `auth login,POST,ptj,,5 refresh,POST,ptj,,10 logout,POST,npj logoutAll,POST,n register,POST,pj,,5 verifyEmail,POST,pj,,10 resendVerification,POST,pj,,3 forgotPassword,POST,pj,,3 resetPassword,POST,pj,,5 acceptInvite,POST,pj changePassword,POST,j google,POST,ptj,,10 exchange,POST,ptj me,GET,s
twoFactor,/auth/2fa setup,POST,j,,5,2fa enable,POST,j,,5,2fa verify,POST,tj,,5,2fa disable,POST,j,,5,2fa recoveryCodes,POST,j,,5,2fa
sessions list,GET,sl,~ revoke,DELETE,n,~/:id
apiKeys list,GET,sl,~ create,POST,kj,~ revoke,DELETE,n,~/:id
users list,GET,sl,~ create,POST,kj,~ get,GET,s,~/:id update,PATCH,nj,~/:id delete,DELETE,n,~/:id
roles list,GET,sl,~ create,POST,kj,~ update,PUT,nj,~/:name delete,DELETE,n,~/:name
tenant get,GET,s,~ update,PATCH,nj,~
saml,/tenant/saml getSettings,GET,s,~ putSettings,PUT,nj,~ deleteSettings,DELETE,n,~
auditEvents list,GET,sl,~ export,GET,sx
projects list,GET,sl,~ create,POST,kj,~ get,GET,s,~/:name update,PATCH,nj,~/:name delete,DELETE,n,~/:name inventories,GET,sl,~/:name/inventories uploadInventory,PUT,ni,~/:name/inventory
preflight run,POST,sj,~,10,preflight
scans list,GET,sl,~ launch,POST,kj,~,10,scans get,GET,s,~/:id rules,GET,sl,~/:id/rules compliance,GET,s,~/:id/compliance cancel,POST,n,~/:id/cancel events,GET,se,~/:id/events
findings list,GET,sl,~ summary,GET,s export,GET,sx get,GET,s,~/:id
mutes list,GET,sl,~ create,POST,kj,~ delete,DELETE,n,~/:id
rules list,GET,sl,~ get,GET,s,~/:id
customRules list,GET,sl,~ create,POST,kj,~ update,PUT,nj,~/:id delete,DELETE,n,~/:id test,POST,sj,,10,preflight
profiles list,GET,sl,~ create,POST,kj,~ update,PUT,nj,~/:name delete,DELETE,n,~/:name
meta,/health live,GET,spu ready,GET,spu openapi,GET,sp,/openapi.json problem,GET,sp,/problems/:code`;
