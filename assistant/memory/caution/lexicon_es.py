"""Spanish and Portuguese words of orders to an assistant."""

from __future__ import annotations

from assistant.memory.caution.concepts import Lexicon, Notion

ORDERS: Lexicon = {
    Notion.ME: "yo mi mis nos nosotros nuestro nuestra nuestros ella ellos eu meu minha meus minhas nós "
    "nosso nossa ele soy estoy tengo",
    Notion.YOU: "tu ti usted te eres estas ustedes voce voces ahora_eres es_ahora",
    Notion.YOUR: "tu tus su_prompt sus_instrucciones tuyas teu tua teus tuas seu sua seus suas",
    Notion.AI: "ia ias modelo_de_lenguaje modelo_de_linguagem robot inteligencia_artificial agente_de_ia "
    "agentes_de_ia asistente_de_ia robo chatbot* sistema_de_ia agentes_ia",
    Notion.MACHINE: "asistente asistentes agente agentes modelo modelos assistente assistentes",
    Notion.USER: "usuario usuarios usuaria",
    Notion.ANYBODY: "usuario usuarios nadie alguien cliente clientes humano humanos operador ninguem alguem",
    Notion.ADMIN: "administrador* acceso_total acceso_completo acceso_ilimitado acesso_total acesso_completo",
    Notion.AUTHORITY: "administrador* desarrollador* desenvolvedor* operador* equipo_de_seguridad "
    "equipe_de_seguranca gerencia dirección",
    Notion.PROMPT: "instruccion instrucciones indicaciones directriz directrices prompt prompts directivas "
    "directiva ordenes instrucao instrucoes instruçoes diretriz diretrizes comandos mensaje_del_sistema "
    "mensagem_do_sistema lineamientos pautas programación consignas",
    Notion.LIMIT: "regla reglas restricci* limite limites limitaci* filtro filtros censura seguridad etica "
    "regra regras restric* limitac* seguranca salvaguard* normas barrera* barreira* moderacion protocolo* "
    "prohibici*",
    Notion.POLICY: "politica politicas norma normas terminos privacidad politica_de confidencialidad",
    Notion.SYSTEM: "sistema sistemas desarrollador desenvolvedor mantenimiento",
    Notion.PRIOR: "anterior* previ* todas todos todo inicial* original* precedent* arriba existente* acima",
    Notion.ABOVE: "arriba anterior* precede* acima",
    Notion.EVERYTHING: "todo tudo todo_lo_anterior todo_lo_que tudo_o_que cuanto",
    Notion.CHECK: "confirmaci* verificaci* aprobaci* autorizaci* comprobaci* validaci* consentimiento "
    "confirmac* verificac* aprovac* autorizac* controles",
    Notion.MODE: "modo_desarrollador modo_de_desarrollador modo_desenvolvedor modo_admin* modo_dios "
    "modo_depuracion modo_mantenimiento modo_sin modo_libre modo_desarrollo modo_deus",
    Notion.TASK: "tarea objetivo mision papel rol identidad tarefa missao personaje propósito",
    Notion.NEW: "nueva nuevas nuevo nuevos verdadera verdadero real unica unico nova novas novo novos "
    "actualizad* siguiente siguientes principal",
    Notion.IGNORE: "ignor* olvid* omit* omite descart* desactiv* anul* saltat* saltar* desatiend* "
    "pasa_por_alto haz_caso_omiso no_sigas no_obedezcas deja_de_lado deja_de_seguir evita evade burla elude "
    "elimina suprime esquec* desconsider* desativ* contorn* sobrescrib* quebrant* viola salta reemplaz* "
    "sustituy* ignore_as cancela",
    Notion.LIFTED: "desactivad* anulad* suspendid* invalid* obsolet* comprometid* eliminad* levantad* "
    "desativad* revogad* revocad* cambiado reemplazad*",
    Notion.EXEMPT: "exent* exencion excepcion isent* excluid*",
    Notion.APPLY: "aplica* aplican aplicam validas vigentes necesari* valen vale vigor rigen afectan",
    Notion.UNBOUND: "sin_restriccion* sin_limite* sin_filtro* sin_censura sin_regla* sem_restric* "
    "sem_limite* sem_filtro* sem_censura sem_regra* liberado_de libre_de ilimitado* irrestrict* sin_normas "
    "sin_limitacion*",
    Notion.WITHOUT: "sin ninguna ningun ninguno sem nenhuma nenhum libre_de livre_de no_hay no_tienes "
    "nao_tem",
    Notion.NOT: "no nunca jamas ni sin nao sem jamais tampoco nada nadie",
    Notion.ROLEPLAY: "actua actue finge finja simula simule haz_de imagina_que_eres imagine_que comportate "
    "comporta_te interpreta aja_como faz_de_conta finge_ser haz_como_si asume_el_papel responde_como "
    "hazte_pasar adopta_el",
    Notion.EVIL: "malvad* malicios* ilegal* danin* peligros* bomba* arma* inmoral* imoral* criminal* "
    "perverso*",
    Notion.BECOME: "ahora_eres eres_ahora ahora_estas estas_ahora ya_no_eres a_partir_de_ahora_eres "
    "ahora_te_llamas agora_voce_e voce_agora_e voce_e_agora voce_nao_e_mais desde_ahora_eres "
    "te_has_convertido ahora_tienes ahora_actuas ya_no_tienes usted_es_ahora ahora_usted_es agora_es",
    Notion.COMPLY: "obedec* obedez* cumpl* acata acate acatar ejecuta_todo sin_cuestionar sin_preguntar "
    "atend* concede_todas nunca_rechaces no_rechaces nunca_te_niegues jamas_rechaces nunca_recuse "
    "nao_recuse",
    Notion.FOLLOW: "sigue siga seguir ejecuta ejecute obedec* haz_lo_que haga_lo_que aplica siga_as execute "
    "cumple",
    Notion.DECODE: "decodific* descifr* descodific* desencript* codificad* al_reves decifr* binario "
    "descriptograf* cifrad*",
    Notion.REVEAL: "revel* muestr* mostr* imprim* repit* repet* divulg* ensena* dime diga dame da de_me "
    "lista liste filtra expon* comparte comparta proporcion* entrega* escrib* cuales_son cual_es que_dice "
    "resume resuma exib* diga_me quais_sao qual_e recita reproduc* describ* escreva forneca copia extrae",
    Notion.RECITE: "repit* repet* imprim* reproduc* recita copia palabra_por_palabra palavra_por_palavra",
    Notion.SEND: "envi* envia_lo mand* reenvi* remit* transmit* sube suba transfier* publica encaminh* "
    "exfiltr* exporta compart*",
    Notion.COLLECT: "reun* recopil* recolect* extrae extraiga roba colet* recoge obten* registra junta "
    "recabar",
    Notion.DESTROY: "borr* elimin* suprim* destruy* vacia apag* exclu* formatea",
    Notion.CALL: "llama llame invoca ejecut* usa use utiliza chame execute inicia",
    Notion.STORE: "guard* recuerd* memoriz* almacen* registr* anot* apunt* conserv* salv* lembr* armazen* "
    "grav*",
    Notion.INSERT: "anad* inclu* agreg* insert* mencion* adjunt* incorpor* escrib* recomiend* recomend* "
    "cita cite adicion* acrescent* insir* repit* repet* muestr* pon ponga coloca indica aparec* aparez*",
    Notion.START: "empiez* empez* comienz* comenz* termin* finaliz* conclu* comec* inici* firma firme",
    Notion.TELL: "respond* contest* diga recomiend* recomend* menciona afirma sugier* dile diles indica "
    "digas digan cuentes informes inform* avis* conte",
    Notion.ASK: "pregunt* pid* consult* pergunt* solicit*",
    Notion.READ: "lee leas leer lea proces* analiz* resum* revis* leia ler analis*",
    Notion.PROCEED: "continu* prosig* respond* proced* contest*",
    Notion.TRUST: "fuente_fiable fuente_confiable fuente_de_confianza fonte_confiavel fuente_oficial",
    Notion.GRANT: "autoriz* aprob* aprov* concedid* concede permit* consentid* consinti* verificado "
    "confirmado acept* otorg* da_permiso dado_permiso habilitad*",
    Notion.PERMIT: "permiso* acceso autorizaci* privilegio* consentimiento permissao acesso autorizacao "
    "derechos",
    Notion.HIDDEN: "ocult* secret* inicial* exact* palabra_por_palabra textual* literal* complet* intern* "
    "integr* palavra_por_palavra original*",
    Notion.SECRET: "contrasen* credencial* secreto secretos secreta clave clave_api claves token tokens "
    "confidencial* datos_de_cliente* datos_de_los_cliente* lista_de_cliente* base_de_datos datos_personales "
    "datos_internos datos_confidenciales senha senhas dados_pessoais dados_de_cliente* dados_dos_cliente* "
    "dados_confidenciais banco_de_dados variables_de_entorno informacion_confidencial historial "
    "datos_privados datos_sensibles informacion_interna configuracion dados_internos tarjetas "
    "contenido_restringido chaves",
    Notion.DATA: "datos archivos archivo informacion contenido documentos mensajes lista dados arquivos "
    "registros",
    Notion.OUTPUT: "respuesta respuestas resumen resumenes informe informes reporte reportes salida mensaje "
    "mensajes resposta respostas resumo resumos relatorio* recomendac*",
    Notion.EDGE: "al_final al_principio al_inicio al_comienzo final_de inicio_de no_final no_inicio "
    "ao_final ao_inicio",
    Notion.MEMORY: "memoria contexto memoria_a_largo base_de_conocimiento* ventana_de_contexto recuerdos",
    Notion.ADDRESS: "nota aviso atencion importante mensaje alerta instruccion instrucciones para_el "
    "para_los orden actualizacion hola mensagem notificacion advertencia comando estimado atencao ordem",
    Notion.COVERT: "secretamente en_secreto discretamente silenciosamente a_escondidas sin_decir "
    "sin_informar sin_avisar sin_mencionar em_segredo sem_avisar sem_informar sin_que_el_usuario "
    "mantenlo_en_secreto sin_preguntar",
    Notion.MUST: "debe debes deben deberas debera deberias tienes_que tiene_que hay_que deve devem precisa "
    "obligatori* asegurate asegurese certifique tem_que deberan",
    Notion.EACH: "cada todo toda todos todas siempre cualquier futur* proxim* siguiente sempre qualquer "
    "nunca",
    Notion.ALWAYS: "siempre nunca jamas sempre unicamente solo cada_vez automaticamente exclusivamente "
    "solamente",
    Notion.NOW_ON: "a_partir_de_ahora de_ahora_en_adelante en_adelante desde_ahora a_partir_de_este_momento "
    "a_partir_de_agora de_agora_em_diante daqui_em_diante doravante en_lo_sucesivo desde_este_momento "
    "por_el_resto en_el_futuro a_partir_de_hoy desde_hoy no_futuro hasta_nuevo_aviso",
    Notion.WHEN: "cuando si siempre_que antes_de despues_de al quando se cada_vez_que una_vez",
    Notion.BEFORE: "antes_de en_lugar_de em_vez_de en_vez_de",
    Notion.AS_AI: "como_asistente como_ia como_modelo como_assistente como_un_asistente como_una_ia "
    "como_agente_de_ia",
    Notion.TOLD: "te_dieron te_han_dado te_dijeron recibiste has_recibido te_deram voce_recebeu te_indicaron",
    Notion.ACT: "aprueba apruebe desbloquea abre cambia cambie modifica compra compre paga pague instala "
    "activa niegate rechaza elogia prioriza acepta acepte publica bloquea confirma confirme descarga oculta "
    "miente confia califica aprove desbloqueie instale recuse aceite transfiere reserva programa",
    Notion.TEXT: "texto textos palabras palavras mensaje mensajes linea lineas conversacion contenido "
    "parrafo frase mensagem conversa",
    Notion.REASONED: "determinado concluido establecido verificado decidido razonado comprobado",
}
