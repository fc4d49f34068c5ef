// Generated from the contract by `npm run generate`. Do not edit.
/** What the client knows of each operation at run time, as `readOperations` reads it. */
export const OPERATIONS = `auth login,POST,ptjc,,5 refresh,POST,ptjc,,10 logout,POST,npjc logoutAll,POST,nc register,POST,pj,,5 verifyEmail,POST,pj,,10 resendVerification,POST,pj,,3 forgotPassword,POST,pj,,3 resetPassword,POST,pj,,5 acceptInvite,POST,pj changePassword,POST,jc google,POST,ptjc,,10 exchange,POST,ptjc confirm,POST,ptjc,,5 confirmMail,POST,pj,~/confirm/mail,5,confirm methods,GET,sp me,GET,s
twoFactor,/auth/2fa setup,POST,j,,5,2fa enable,POST,j,,5,2fa verify,POST,tjc,,5,2fa disable,POST,j,,5,2fa recoveryCodes,POST,j,,5,2fa
sessions list,GET,sl,~ revoke,DELETE,n,~/{id}
apiKeys list,GET,sl,~ create,POST,kj,~ revoke,DELETE,n,~/{id}
users list,GET,sl,~ create,POST,kj,~ resendInvitation,POST,k,~/{id}^ get,GET,s,~/{id} update,PATCH,nj,~/{id} delete,DELETE,n,~/{id}
roles list,GET,sl,~ create,POST,kj,~ update,PUT,nj,~/{name} delete,DELETE,n,~/{name}
tenant get,GET,s,~ update,PATCH,nj,~
saml,/tenant/saml getSettings,GET,s,~ putSettings,PUT,nj,~ deleteSettings,DELETE,n,~ discover,POST,spj,/auth/saml^,10,saml-discover
domains,/tenant/domains list,GET,sl,~ create,POST,kj,~ verify,POST,n,~/{domain}^ delete,DELETE,n,~/{domain}
auditEvents list,GET,sl,~ export,GET,sx
projects list,GET,sl,~ create,POST,kj,~ get,GET,s,~/{name} update,PATCH,nj,~/{name} delete,DELETE,n,~/{name} inventories,GET,sl,~/{name}^ uploadInventory,PUT,ni,~/{name}/inventory
assets,/projects/{project}/assets list,GET,sl,~ lookup,GET,s
sources,/projects/{name}/source set,PUT,nj,~ get,GET,s,~ delete,DELETE,n,~ check,POST,s,,10,preflight
pulls,/projects/{name}/inventory start,POST,k,~/pull,10,preflight list,GET,sl,~/pulls get,GET,s,~/pulls/{id}
preflight run,POST,sj,~,10,preflight
scans list,GET,sl,~ launch,POST,kj,~,10,scans get,GET,s,~/{id} rules,GET,sl,~/{id}^ compliance,GET,s,~/{id}^ report,GET,sxb,~/{id}^ compare,GET,sl,~/{id}^ cancel,POST,n,~/{id}^ events,GET,sxe,~/{id}^
schedules list,GET,sl,~ create,POST,kj,~ get,GET,s,~/{id} update,PUT,nj,~/{id} delete,DELETE,n,~/{id}
webhooks list,GET,sl,~ create,POST,kj,~ get,GET,s,~/{id} update,PUT,nj,~/{id} delete,DELETE,n,~/{id} rotateSecret,POST,k,~/{id}^ test,POST,k,~/{id}^ deliveries,GET,sl,~/{id}^ redeliver,POST,k,~/{id}/deliveries/{deliveryId}^
findings list,GET,sl,~ summary,GET,s groups,GET,sl export,GET,sx get,GET,s,~/{id}
mutes list,GET,sl,~ create,POST,kj,~ bulkCreate,POST,kj,~/bulk delete,DELETE,n,~/{id}
posture summary,GET,s trend,GET,s
views list,GET,sl,~ create,POST,kj,~ update,PUT,nj,~/{id} delete,DELETE,n,~/{id}
notifications,/auth/me/notifications get,GET,s,~ update,PUT,nj,~
rules list,GET,sl,~ get,GET,s,~/{id}
customRules list,GET,sl,~ create,POST,kj,~ update,PUT,nj,~/{id} delete,DELETE,n,~/{id} test,POST,sj,,10,custom-rule-test fields,GET,s
profiles list,GET,sl,~ create,POST,kj,~ update,PUT,nj,~/{name} delete,DELETE,n,~/{name}
meta,/health live,GET,spu ready,GET,spu openapi,GET,sp,/openapi.json problem,GET,sp,/problems/{code}`;
